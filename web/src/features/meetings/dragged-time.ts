// The library shows where a dragged meeting would land, and not when that is.

interface Hours {
  first: number;
  last: number;
}

const STEP_MINUTES = 5;

/** Writes on the place where the dragged meeting would land which time that is; the style sheet shows it. */
export function showDraggedTime(grid: HTMLElement, hours: Hours): void {
  const place = grid.querySelector<HTMLElement>('[class*="ViewDragPreview"]');
  const column = place?.offsetParent;
  if (!place || !column) return;
  const minutesAt = (pixels: number) => {
    const minutes = hours.first * 60 + (pixels / column.clientHeight) * (hours.last - hours.first) * 60;
    return Math.round(minutes / STEP_MINUTES) * STEP_MINUTES;
  };
  const [start, end] = [minutesAt(place.offsetTop), minutesAt(place.offsetTop + place.offsetHeight)];
  const time = `${clock(start)}–${clock(end)}`;
  if (place.dataset["time"] !== time) place.dataset["time"] = time;
}

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
