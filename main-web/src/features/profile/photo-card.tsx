import { Camera, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { isPicture, NOT_A_PICTURE } from "../../kit/pictures";
import { profileErrorText, useDeletePhoto, usePutPhoto, type Profile } from "../../kit/session/profile";
import { Avatar } from "../../ui/avatar";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";
import { PictureFiles } from "../../ui/picture-files";
import { toast } from "../../ui/toast-store";
import { CropDialog } from "./crop-dialog";
import styles from "./profile.module.css";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** One's photo: choose, crop, replace, remove. */
export function PhotoCard({ profile }: { profile: Profile }) {
  const put = usePutPhoto();
  const remove = useDeletePhoto();
  const file = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [refusal, setRefusal] = useState("");

  async function choose(chosen: File) {
    setRefusal("");
    try {
      if (!isPicture(chosen)) throw new Error(NOT_A_PICTURE);
      setPicture(await createImageBitmap(chosen));
    } catch {
      setRefusal(NOT_A_PICTURE);
    }
  }

  async function change(act: () => Promise<unknown>) {
    setRefusal("");
    try {
      await act();
      setPicture(null);
      toast.success(AUTH_TEXTS.profileUpdated);
    } catch (reason) {
      setPicture(null);
      setRefusal(reason instanceof Error ? reason.message : AUTH_TEXTS.profileFailed);
      toast.error(profileErrorText(reason));
    }
  }

  return (
    <Card as="section" aria-labelledby="profile-photo" className={styles.section}>
      <h2 id="profile-photo" className={styles.heading}>
        Photo
      </h2>
      <div className={styles.photo}>
        <span className={styles.face}>
          <Avatar name={profile.displayName} src={profile.photoURL} size="lg" />
        </span>
        <div className={styles.buttons}>
          <Button variant="secondary" size="sm" onClick={() => file.current?.click()}>
            <Camera size={16} aria-hidden="true" />
            {profile.photoURL ? "Choose another photo" : "Choose a photo"}
          </Button>
          {profile.photoURL && (
            <Button variant="ghost" size="sm" loading={remove.isPending} onClick={() => void change(() => remove.mutateAsync(undefined))}>
              <Trash2 size={16} aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
        <PictureFiles ref={file} label="Photo file" one onChosen={([chosen]) => chosen && void choose(chosen)} />
      </div>
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      {picture && (
        <CropDialog
          picture={picture}
          saving={put.isPending}
          onSave={(square) => void change(async () => put.mutateAsync(await square))}
          onClose={() => setPicture(null)}
        />
      )}
    </Card>
  );
}
