-- The meaning of each phrase in use, as a vector. The table exists only where pgvector does; without it, search and
-- matches compare spelling alone.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') THEN
    CREATE TABLE phrase_vectors (
        phrase_id integer NOT NULL,
        embedding vector(384) NOT NULL,
        CONSTRAINT pk_phrase_vectors PRIMARY KEY (phrase_id),
        CONSTRAINT fk_phrase_vectors_phrase_id FOREIGN KEY (phrase_id) REFERENCES phrases (id) ON DELETE CASCADE
    );
    CREATE INDEX ix_phrase_vectors_embedding ON phrase_vectors USING hnsw (embedding vector_cosine_ops);
    GRANT SELECT, INSERT, UPDATE, DELETE ON phrase_vectors TO porchlight_overseer;
  END IF;
END $$;
