import { UserRound } from "lucide-react";
import { useFlag } from "../../kit/flags";
import { useProfile } from "../../kit/session/profile";
import { Card } from "../../ui/card";
import { Page } from "../../ui/page";
import { Placeholder } from "../../ui/placeholder";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { AccountSection } from "./account-section";
import { PhotoCard } from "./photo-card";
import { ProfileForm } from "./profile-form";
import styles from "./profile.module.css";

/** One's own profile and account; SPEC 2.7's placeholder while profiles are off. */
export function ProfilePage() {
  if (!useFlag("userProfiles")) {
    return (
      <Placeholder
        icon={UserRound}
        title="Profile Management Coming Soon"
        description="Your Porchlight profile."
        text="Soon you will set your name, photo, skills and neighborhood here, and choose what others may see."
      />
    );
  }
  return <Editor />;
}

function Editor() {
  const profile = useProfile();
  return (
    <Page title="Your profile" description="Your Porchlight profile and account.">
      <div className={`container ${styles.page}`} aria-busy={profile.isPending}>
        <header>
          <h1 className={styles.title}>Your profile</h1>
          <p className={styles.lead}>Who you are to your neighbors, and what they may see.</p>
        </header>
        {profile.isPending && <Loading />}
        {profile.isError && !profile.data && (
          <ErrorState
            title="Your profile is out of reach"
            message={profile.error.message}
            onRetry={() => void profile.refetch()}
            retrying={profile.isFetching}
          />
        )}
        {profile.data && (
          <>
            <PhotoCard profile={profile.data} />
            <ProfileForm profile={profile.data} />
          </>
        )}
        <AccountSection />
      </div>
    </Page>
  );
}

function Loading() {
  return (
    <Card className={styles.section}>
      {["12rem", "100%", "100%", "60%"].map((width, index) => (
        <Skeleton key={index} width={width} height="2.5rem" radius="md" />
      ))}
    </Card>
  );
}
