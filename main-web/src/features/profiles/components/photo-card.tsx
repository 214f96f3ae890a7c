import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type Profile } from "@/lib/session/get-profile";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { PhotoButton } from "@/components/ui/photo-button";
import { toast } from "@/lib/toast-store";
import { useUpdatePhoto } from "../api/update-photo";
import { useDeletePhoto } from "../api/delete-photo";
import { profileErrorText } from "../lib/use-profile-mutation";
import styles from "./profile.module.css";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** The profile photo: choose, crop, replace, remove. */
export function PhotoCard({ profile }: { profile: Profile }) {
  const updatePhoto = useUpdatePhoto();
  const remove = useDeletePhoto();
  const [error, setError] = useState("");

  async function change(request: () => Promise<unknown>): Promise<string> {
    setError("");
    try {
      await request();
      toast.success(AUTH_TEXTS.profileUpdated);
      return "";
    } catch (reason) {
      toast.error(profileErrorText(reason));
      return reason instanceof Error ? reason.message : AUTH_TEXTS.profileFailed;
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
          <PhotoButton
            label={profile.photoURL ? "Choose another photo" : "Choose a photo"}
            onSave={(photo) => change(() => updatePhoto.mutateAsync(photo))}
            onError={setError}
          />
          {profile.photoURL && (
            <Button
              variant="ghost"
              size="sm"
              loading={remove.isPending}
              onClick={() => void change(() => remove.mutateAsync(undefined)).then(setError)}
            >
              <Trash2 size={16} aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
      </div>
      {error && <Notice tone="danger">{error}</Notice>}
    </Card>
  );
}
