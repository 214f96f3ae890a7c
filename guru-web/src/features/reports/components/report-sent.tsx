import { Icon } from "../../../components/ui/icon";

export function ReportSent({ message }: { message: string }) {
  return (
    <div className="panel form-success" role="status">
      <Icon name="circle-check" />
      <h2>Thank you</h2>
      <p>{message}</p>
      <a className="button button-secondary" href="/">
        Back to site
      </a>
    </div>
  );
}
