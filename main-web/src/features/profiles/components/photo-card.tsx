import { Camera, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { isImageFile, INVALID_IMAGE_MESSAGE } from "@/lib/image-files";
import { type Profile } from "@/lib/session/get-profile";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { ImageInput } from "@/components/ui/image-input";
import { toast } from "@/lib/toast-store";
import { useUpdatePhoto } from "../api/update-photo";
import { useDeletePhoto } from "../api/delete-photo";
import { profileErrorText } from "../lib/use-profile-mutation";
import { CropDialog } from "./crop-dialog";
import styles from "./profile.module.css";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** The profile photo: choose, crop, replace, remove. */
export function PhotoCard({ profile }: { profile: Profile }) {
  const updatePhoto = useUpdatePhoto();
  const remove = useDeletePhoto();
  const file = useRef<HTMLInputElement>(null);
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const [error, setError] = useState("");

  async function openImage(picked: File) {
    setError("");
    try {
      if (!isImageFile(picked)) throw new Error(INVALID_IMAGE_MESSAGE);
      setImage(await createImageBitmap(picked));
    } catch {
      setError(INVALID_IMAGE_MESSAGE);
    }
  }

  async function change(request: () => Promise<unknown>) {
    setError("");
    try {
      await request();
      setImage(null);
      toast.success(AUTH_TEXTS.profileUpdated);
    } catch (reason) {
      setImage(null);
      setError(reason instanceof Error ? reason.message : AUTH_TEXTS.profileFailed);
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
            <Button
              variant="ghost"
              size="sm"
              loading={remove.isPending}
              onClick={() => void change(() => remove.mutateAsync(undefined))}
            >
              <Trash2 size={16} aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
        <ImageInput ref={file} label="Photo file" single onSelect={([picked]) => picked && void openImage(picked)} />
      </div>
      {error && <Notice tone="danger">{error}</Notice>}
      {image && (
        <CropDialog
          image={image}
          saving={updatePhoto.isPending}
          onSave={(square) => void change(async () => updatePhoto.mutateAsync(await square))}
          onClose={() => setImage(null)}
        />
      )}
    </Card>
  );
}
