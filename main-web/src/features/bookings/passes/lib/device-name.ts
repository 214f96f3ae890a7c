const KEY = "porchlight.device";
export const MAX_DEVICE_LENGTH = 40;

/** Return the name of this device, which other devices show: the guru's, or one like "Phone 37". */
export function deviceName(): string {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept) return kept;
    const made = `${kindOfDevice()} ${10 + Math.floor(Math.random() * 90)}`;
    localStorage.setItem(KEY, made);
    return made;
  } catch {
    return kindOfDevice();
  }
}

export function renameDevice(name: string) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage the name lasts as long as the page.
  }
}

function kindOfDevice(): string {
  const agent = navigator.userAgent;
  if (/iPad|Tablet/i.test(agent)) return "Tablet";
  return /Mobi|Android/i.test(agent) ? "Phone" : "Computer";
}
