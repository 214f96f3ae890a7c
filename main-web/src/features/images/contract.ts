export { uploadImage } from "./guru/api/upload-image";
export { ImagesDialog } from "./guru/components/images-dialog";
export type { SiteImage } from "./guru/lib/types";
