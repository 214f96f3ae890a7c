import { CalendarPlus } from "lucide-react";
import { type CalendarEvent, googleCalendarUrl, outlookUrl } from "@/lib/calendar-links";
import { Button } from "./ui/button";
import { Menu, MenuItem } from "./ui/menu";

type AddToCalendarProps = {
  event: CalendarEvent;
  /** The address of the calendar file. */
  file: string;
  /** Which of several sessions, for those who hear the button. */
  which?: string;
};

/** A menu with the calendars that a session can be added to. Nothing is sent anywhere until someone chooses one. */
export function AddToCalendar({ event, file, which = "" }: AddToCalendarProps) {
  const pages = [
    ["Google Calendar", googleCalendarUrl(event)],
    ["Outlook.com", outlookUrl(event, "outlook.live.com")],
    ["Outlook for work or school", outlookUrl(event, "outlook.office.com")],
  ] as const;
  return (
    <Menu
      label="Add to calendar"
      trigger={
        <Button variant="secondary" size="sm" aria-label={which && `Add ${which} to calendar`}>
          <CalendarPlus size={16} aria-hidden="true" />
          {which ? "Add" : "Add to calendar"}
        </Button>
      }
    >
      <MenuItem asChild>
        <a href={file} download="session.ics">
          Apple Calendar or another one
        </a>
      </MenuItem>
      {pages.map(([name, url]) => (
        <MenuItem key={name} asChild>
          <a href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}
