import type { ReactNode } from "react";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Stack } from "@/components/ui/stack";
import styles from "./editor.module.css";
import { toSlug } from "../lib/slug";
import type { PostEditorState } from "../lib/use-post-editor";

/** The address, tags and excerpt of a post, folded until one has an error. */
export function PostDetailsFields({ editor, children }: { editor: PostEditorState; children: ReactNode }) {
  const { text, tags, errors, change } = editor;
  return (
    <details className={styles.more} open={Boolean(errors.slug ?? errors.tags ?? errors.excerpt) || undefined}>
      <summary>Address, tags and excerpt</summary>
      <Stack>
        <Field
          label="Address"
          optional
          hint={text.slug ? `/blog/${text.slug}` : "Leave blank to create it from the title."}
          error={errors.slug}
        >
          <Input
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={120}
            value={text.slug}
            onChange={(event) => change({ slug: toSlug(event.target.value) })}
          />
        </Field>
        <Field label="Tags" optional hint="Separate with commas. Cards show the first three." error={errors.tags}>
          <Input autoComplete="off" value={tags} onChange={(event) => editor.changeTags(event.target.value)} />
        </Field>
        <Field label="Excerpt" optional hint="Leave blank to show the beginning of the post." error={errors.excerpt}>
          <TextArea
            rows={3}
            maxLength={400}
            value={text.excerpt}
            onChange={(event) => change({ excerpt: oneLine(event.target.value) })}
          />
        </Field>
        {children}
      </Stack>
    </details>
  );
}

const oneLine = (text: string) => text.replace(/[\r\n\t]+/g, " ");
