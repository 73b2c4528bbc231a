import { useCanGoBack, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";

interface Options {
  id: string;
  isAtDetails: boolean;
  isHeld: boolean;
}

/** The details are an entry of their own in the browser's history, so that Back leads to the times. */
export function useDetailsStep({ id, isAtDetails, isHeld }: Options) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const canGoBack = useCanGoBack();
  const leaveDetails = useCallback(() => {
    if (canGoBack) history.back();
    else void navigate({ to: "/schedule-meeting/$id", params: { id }, replace: true });
  }, [canGoBack, history, id, navigate]);
  useEffect(() => {
    // Nothing is held any more, so a time is chosen first.
    if (isAtDetails && !isHeld) leaveDetails();
  }, [isAtDetails, isHeld, leaveDetails]);
  const goToDetails = () => void navigate({ to: "/schedule-meeting/$id", params: { id }, hash: "details" });
  return { goToDetails, leaveDetails };
}
