import { Receipt } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { ListRows, ListRowSkeletons } from "@/components/ui/list-row";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useOrders } from "../api/get-orders";
import { OrderRow } from "../components/order-row";
import styles from "../components/sessions.module.css";

/** What the signed-in user paid by card, with what went back. */
export function OrdersPage() {
  return (
    <PageHead title="Orders" description="What you paid by card, and your refunds.">
      <div className={`container ${styles.page} ${styles.narrow}`}>
        <header>
          <h1 className={styles.title}>Orders</h1>
          <p className={styles.lead}>What you paid by card, and your refunds.</p>
        </header>
        <OrderList />
      </div>
    </PageHead>
  );
}

function OrderList() {
  const list = useOrders();
  const orders = list.data?.pages.flatMap((page) => page.orders) ?? [];
  if (list.isPending) {
    return (
      <div>
        <p className="visually-hidden" role="status">
          Loading your orders...
        </p>
        <ListRowSkeletons count={3} />
      </div>
    );
  }
  if (list.isError && !list.data) {
    return (
      <ErrorState
        title="We couldn't load your orders"
        message={list.error.message}
        onRetry={() => void list.refetch()}
        retrying={list.isFetching}
      />
    );
  }
  if (orders.length === 0) {
    return (
      <EmptyState
        icon={Receipt}
        title="No orders yet"
        action={
          <Button asChild size="sm">
            <Link to={paths.skills}>Browse skills</Link>
          </Button>
        }
      >
        Sessions, packages and tips that you pay by card show up here.
      </EmptyState>
    );
  }
  return (
    <>
      <ListRows aria-label="Orders">
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </ListRows>
      {list.hasNextPage && (
        <div className={styles.more}>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
          {list.isFetchNextPageError && (
            <p role="alert" className={styles.soft}>
              We couldn't load more orders. Try again.
            </p>
          )}
        </div>
      )}
    </>
  );
}
