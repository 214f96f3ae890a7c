export { useUpdateProfile } from "./api/update-profile";
export { profileErrorText } from "./lib/use-profile-mutation";
