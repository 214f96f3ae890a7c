import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useController, type Control } from "react-hook-form";
import { uploadErrorText } from "@/lib/image-files";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PhotoButton } from "@/components/ui/photo-button";
import { useUploadPhoto } from "../api/upload-photo";
import { isUploadedPhoto, type ProfileValues } from "../lib/profile-schema";
import styles from "./wizard.module.css";

type PhotoFieldProps = {
  control: Control<ProfileValues>;
  /** The name beside the photo. */
  name: string;
  /** The photo of the account's profile: a path, a link, or "". */
  accountPhoto: string;
};

/** The photo of the new site: uploaded, taken from the account's profile, or a link. */
export function PhotoField({ control, name, accountPhoto }: PhotoFieldProps) {
  const {
    field: { ref: input, value, onChange, onBlur },
    fieldState,
  } = useController({ control, name: "photoUrl" });
  const upload = useUploadPhoto();
  const [uploadError, setUploadError] = useState("");
  const isUploaded = isUploadedPhoto(value);
  const [linkOpen, setLinkOpen] = useState(!isUploaded && value !== "");
  const error = fieldState.error?.message;
  const isVisible = isUploaded || (!error && value.startsWith("https://"));

  async function save(photo: () => Promise<Blob>): Promise<string> {
    setUploadError("");
    try {
      const saved = await upload.mutateAsync(await photo());
      onChange(saved.photoUrl);
      return "";
    } catch (reason) {
      return uploadErrorText(reason);
    }
  }

  return (
    <fieldset className={styles.photoField}>
      <legend>
        Photo <span className={styles.note}>Optional</span>
      </legend>
      <div className={styles.photo}>
        <Avatar name={name} src={isVisible ? value : ""} size="lg" />
        <div className={styles.photoButtons}>
          <PhotoButton
            label={value === "" ? "Upload a photo" : "Choose another photo"}
            onSave={(square) => save(() => Promise.resolve(square))}
            onError={setUploadError}
          />
          {value === "" && isUploadedPhoto(accountPhoto) && (
            <Button
              variant="ghost"
              size="sm"
              loading={upload.isPending}
              onClick={() => void save(async () => (await fetch(accountPhoto)).blob()).then(setUploadError)}
            >
              Use my profile photo
            </Button>
          )}
          {value !== "" && (
            <Button variant="ghost" size="sm" onClick={() => onChange("")}>
              <Trash2 size={16} aria-hidden="true" />
              Remove photo
            </Button>
          )}
        </div>
      </div>
      {uploadError && <Notice tone="danger">{uploadError}</Notice>}
      <details open={linkOpen || error !== undefined} onToggle={(event) => setLinkOpen(event.currentTarget.open)}>
        <summary className={styles.linkToggle}>Use a link instead</summary>
        <Field label="Photo URL" optional hint="A link to a photo of you." error={error}>
          <Input
            type="url"
            inputMode="url"
            autoComplete="photo"
            placeholder="https://"
            ref={input}
            value={isUploaded ? "" : value}
            onBlur={onBlur}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      </details>
    </fieldset>
  );
}
