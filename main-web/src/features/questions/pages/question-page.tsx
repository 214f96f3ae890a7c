import { SearchX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { ReportButton } from "@/features/reports/contract";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useQuestion, type Question } from "../api/get-question";
import styles from "./question-page.module.css";
import { ApiError } from "@porchlight/shared/client";
import { formatDate } from "@porchlight/shared/format/dates";
import { mailtoUrl } from "@porchlight/shared/email-address";

/** A question from a neighbor, with the answer by email and a way to report it. */
export function QuestionPage() {
  const { id = "" } = useParams();
  const question = useQuestion(id);
  const unknown = question.error instanceof ApiError && question.error.status === 404;
  return (
    <PageHead title="Question" description="A question from a neighbor on Porchlight.">
      <div className={`container ${styles.page}`} aria-busy={question.isPending}>
        <h1 className={styles.title}>{unknown ? "Question not found" : "Question"}</h1>
        {question.isPending && <LoadingBlock height="12rem" />}
        {unknown && (
          <EmptyState
            icon={SearchX}
            title="We couldn't find this question"
            action={
              <Button asChild variant="secondary" size="sm">
                <Link to={paths.dashboard}>Open your dashboard</Link>
              </Button>
            }
          >
            You may be signed in with another account, or the neighbor has left.
          </EmptyState>
        )}
        {question.isError && !unknown && (
          <ErrorState
            title="We couldn't load this question"
            message={question.error.message}
            onRetry={() => void question.refetch()}
            retrying={question.isFetching}
          />
        )}
        {question.isSuccess && <Shown question={question.data} />}
      </div>
    </PageHead>
  );
}

function Shown({ question }: { question: Question }) {
  const { asker } = question;
  const name = asker.name || "A neighbor";
  return (
    <>
      <Card className={styles.card}>
        <div className={styles.asker}>
          <Avatar name={name} src={asker.photoURL} />
          <div>
            <p>{asker.handle ? <ProfileLink handle={asker.handle}>{name}</ProfileLink> : name}</p>
            <p className={styles.hint}>{formatDate(question.createdAt)}</p>
          </div>
        </div>
        <p className={styles.body}>{question.body}</p>
        {question.mine ? (
          <p className={styles.hint}>You asked this. You'll get the answer by email.</p>
        ) : (
          <>
            <Button asChild>
              <a href={mailtoUrl(question.replyTo, "Your question on Porchlight")}>Answer by email</a>
            </Button>
            <p className={styles.hint}>Your answer goes to {question.replyTo}, with your email address.</p>
          </>
        )}
      </Card>
      {!question.mine && (
        <footer>
          <ReportButton subject={{ kind: "question", name: question.id }} title={`${name}'s question`} />
        </footer>
      )}
    </>
  );
}
