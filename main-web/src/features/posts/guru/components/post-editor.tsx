import { Eye, EyeOff } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useConsole, PreviewFrame } from "@/features/console/contract";
import { ButtonRow, Stack } from "@/components/ui/stack";
import split from "@/components/split.module.css";
import styles from "./editor.module.css";
import { DeletePostButton } from "./delete-post-button";
import { MarkdownField } from "./markdown-field";
import { PostDetailsFields } from "./post-details-fields";
import { PostEditorBar } from "./post-editor-bar";
import { PostVersionNotices } from "./post-version-notices";
import { PublishButtons } from "./publish-buttons";
import type { ConsolePost, PostText } from "../lib/types";
import { usePostEditor } from "../lib/use-post-editor";

/** The post editor: autosaved while typing, previewed as the real page, published on demand. */
export function PostEditor({ post: first }: { post: ConsolePost }) {
  const titleField = useRef<HTMLInputElement>(null);
  const editor = usePostEditor(first, () => titleField.current?.focus());
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const { text, errors, change } = editor;
  return (
    <>
      <PostEditorBar editor={editor} />
      <PostVersionNotices editor={editor} />
      <div className={split.split} data-wide="true" data-looking={isPreviewOpen}>
        <Stack>
          <h1 className="visually-hidden">Edit “{text.title || "Untitled"}”</h1>
          <Field label="Title" error={errors.title}>
            <Input
              ref={titleField}
              className={styles.title}
              maxLength={200}
              autoComplete="off"
              value={text.title}
              onChange={(event) => change({ title: event.target.value })}
            />
          </Field>
          <MarkdownField
            value={text.content}
            error={errors.content}
            omissions={editor.autosave.omissions}
            onChange={(content) => change({ content })}
          />
          <PostDetailsFields editor={editor}>
            <DeletePostButton editor={editor} />
          </PostDetailsFields>
          <div className={split.save}>
            <ButtonRow>
              <PublishButtons editor={editor} />
              <Button variant="secondary" aria-pressed={isPreviewOpen} onClick={() => setIsPreviewOpen(!isPreviewOpen)}>
                {isPreviewOpen ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
                {isPreviewOpen ? "Hide preview" : "Preview"}
              </Button>
              {editor.post.standing !== "draft" && editor.isChanged && (
                <Button variant="ghost" loading={editor.isDiscarding} onClick={() => void editor.discardChanges()}>
                  Discard changes
                </Button>
              )}
            </ButtonRow>
          </div>
        </Stack>
        {isPreviewOpen && (
          <aside className={split.aside} aria-label="Preview">
            <PostPreview text={text} />
          </aside>
        )}
      </div>
    </>
  );
}

function PostPreview({ text }: { text: PostText }) {
  const guru = useConsole();
  if (guru.status !== "active") return <Notice>Publish your site to see a preview.</Notice>;
  return <PreviewFrame of={{ page: "/blog/[slug]", post: text }} title="Preview of your post" device="phone" />;
}
