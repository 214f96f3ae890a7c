import { useEffect, useState, type SyntheticEvent } from "react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { isAnimated, STILL_MESSAGE } from "@/lib/prepare-photo";
import { errorMessage } from "@/lib/errors";
import { uploadImage } from "@/features/images/contract";
import styles from "./editor.module.css";

const MAX_LENGTH = 200;

type ImageDialogProps = {
  file: File;
  /** How many more pictures wait for their turn. */
  waiting: number;
  onUploaded: (path: string, alt: string) => void;
  onSkip: () => void;
};

/** Uploads a picture for a post, with a description for people who cannot see it. Give each file its own key. */
export function ImageDialog({ file, waiting, onUploaded, onSkip }: ImageDialogProps) {
  const [preview] = useState(() => URL.createObjectURL(file));
  const [failure, setFailure] = useState("");
  const form = useForm({ defaultValues: { alt: "" } });
  const { errors, isSubmitting } = form.formState;

  const [isMoving, setIsMoving] = useState(false);
  useEffect(() => {
    void isAnimated(file).then(setIsMoving);
  }, [file]);

  const forgetPreview = () => URL.revokeObjectURL(preview);
  const upload = form.handleSubmit(async ({ alt }) => {
    setFailure("");
    try {
      const image = await uploadImage(file);
      onUploaded(image.path, alt.trim());
    } catch (reason) {
      setFailure(errorMessage(reason));
    }
  });

  /** Upload once, however often Enter is pressed. */
  function submit(event: SyntheticEvent) {
    event.preventDefault();
    if (!isSubmitting) void upload();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !isSubmitting && onSkip()}
      title="Add a picture"
      footer={
        <>
          <Button variant="ghost" disabled={isSubmitting} onClick={onSkip}>
            {waiting > 0 ? "Skip" : "Cancel"}
          </Button>
          <Button loading={isSubmitting} onClick={submit}>
            Add picture
          </Button>
        </>
      }
    >
      <form className={styles.picture} onSubmit={submit}>
        <img src={preview} alt={file.name} onLoad={forgetPreview} onError={forgetPreview} />
        <Field
          label="Describe the picture"
          hint="For people who can't see it. What does it show?"
          error={errors.alt?.message}
        >
          <Input
            autoComplete="off"
            maxLength={MAX_LENGTH}
            {...form.register("alt", {
              validate: (alt) => alt.trim() !== "" || "Describe the picture in a few words.",
            })}
          />
        </Field>
        {isMoving && <p className={styles.state}>{STILL_MESSAGE}</p>}
        {failure && <Notice tone="danger">{failure}</Notice>}
        {waiting > 0 && <p className={styles.state}>{waiting} more to add</p>}
      </form>
    </Dialog>
  );
}
