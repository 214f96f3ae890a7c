import { UserRound } from "lucide-react";
import { useFlag } from "@/lib/feature-flags";
import { useProfile } from "@/lib/session/get-profile";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { Placeholder } from "@/components/layout/placeholder";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { AccountSection } from "../components/account-section";
import { PhotoCard } from "../components/photo-card";
import { ProfileForm } from "../components/profile-form";
import styles from "../components/profile.module.css";

/** The user's own profile and account; SPEC 2.7's placeholder while profiles are off. */
export function ProfilePage() {
  if (!useFlag("userProfiles")) {
    return (
      <Placeholder
        icon={UserRound}
        title="Profile Management Coming Soon"
        description="Your Porchlight profile."
        text="Soon you'll be able to set your name, photo, skills and location here, and choose what others can see."
      />
    );
  }
  return <Editor />;
}

function Editor() {
  const profile = useProfile();
  return (
    <PageHead title="Your profile" description="Your Porchlight profile and account.">
      <div className={`container ${styles.page}`} aria-busy={profile.isPending}>
        <header>
          <h1 className={styles.title}>Your profile</h1>
          <p className={styles.lead}>Update your info and choose what neighbors can see.</p>
        </header>
        {profile.isPending && <Loading />}
        {profile.isError && !profile.data && (
          <ErrorState
            title="We couldn't load your profile"
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
    </PageHead>
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
