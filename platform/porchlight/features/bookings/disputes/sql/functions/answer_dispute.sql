-- Keep the guru's words about a dispute as a draft and, with `evidence`, send them to the bank: once, by a write. Return the
-- state of the answer, or NULL if nothing was changed: it is not the guru's dispute, was answered, is decided, or is late.
--
-- Called by: bookings, for the guru who acts.
-- SECURITY DEFINER: the app role may not write disputes and stripe_outbox.
CREATE OR REPLACE FUNCTION app.answer_dispute(dispute uuid, words text, customer_words text, evidence jsonb DEFAULT NULL)
RETURNS text LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  saved session_disputes;
BEGIN
  UPDATE session_disputes d
     SET words = answer_dispute.words, customer_words = answer_dispute.customer_words,
         answer_state = CASE WHEN evidence IS NULL THEN d.answer_state ELSE 'requested' END,
         answered_at = CASE WHEN evidence IS NULL THEN d.answered_at ELSE app.now() END
   WHERE d.tenant_id = app.tenant_id() AND d.tenant_id = app.acting_tenant_id() AND d.id = dispute
     AND d.state IN ('inquiry', 'open') AND d.answer_state IN ('', 'failed') AND d.due_by > app.now()
  RETURNING d.* INTO saved;
  IF saved.id IS NOT NULL AND evidence IS NOT NULL THEN
    PERFORM app.create_stripe_write('dispute_answer', saved.id, '', 'POST', '/v1/disputes/' || saved.dp_id,
      jsonb_build_object('evidence', evidence, 'submit', true, 'metadata', jsonb_build_object(
        'charge', (SELECT p.charge_id FROM payments p
                    WHERE p.tenant_id = saved.tenant_id AND p.group_id = saved.group_id LIMIT 1))));
  END IF;
  RETURN saved.answer_state;
END $$;
REVOKE ALL ON FUNCTION app.answer_dispute(uuid, text, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.answer_dispute(uuid, text, text, jsonb) TO porchlight_app, porchlight_overseer;
