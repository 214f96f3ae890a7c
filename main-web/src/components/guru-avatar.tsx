import { Avatar } from "@/components/ui/avatar";
import { useGuruFace } from "@/lib/use-guru-face";

type GuruAvatarProps = { label: string; name: string; size?: "sm" | "md" | "lg" };

/** The photo of a guru who is known by the label of their site, or the initials. Decorative, as Avatar is. */
export function GuruAvatar({ label, name, size = "md" }: GuruAvatarProps) {
  return <Avatar name={name} src={useGuruFace(label)} size={size} />;
}
