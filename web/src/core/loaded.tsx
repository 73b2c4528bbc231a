import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { ErrorState } from "../ui/error-state.tsx";
import { messageOf, referenceOf } from "./errors.ts";

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface Props<Data> {
  query: Query<Data>;
  /** Where it failed: "Your devices could not be read". */
  failureTitle: string;
  children: (data: Data) => ReactNode;
}

/** The content of a query, or what stands in its place while it loads and where it failed. */
export function Loaded<Data>({ query, failureTitle, children }: Props<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error) {
    const retry = () => void refetch();
    return (
      <ErrorState title={failureTitle} message={messageOf(error)} reference={referenceOf(error)} onRetry={retry} />
    );
  }
  return <Loading />;
}

/** What stands in the place of something that is on its way. */
export const Loading = () => (
  <div className="data-loading" aria-busy>
    <Skeleton h={8} w="40%" mt={14} />
    <Skeleton h={8} w="65%" mt={22} />
    <Skeleton h={8} w="52%" mt={22} />
  </div>
);
