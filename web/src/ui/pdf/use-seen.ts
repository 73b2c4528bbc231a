import { type RefObject, useEffect, useRef, useState } from "react";

/** Whether an element came as near to the screen as this; once it has, it stays so. */
export function useSeen<Seen extends Element>(near: string): [boolean, RefObject<Seen | null>] {
  const place = useRef<Seen>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const target = place.current;
    if (!target || isSeen) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
      },
      { rootMargin: near },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [near, isSeen]);
  return [isSeen, place];
}
