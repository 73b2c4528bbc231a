import { useTitle } from "../../core/title.ts";

/** A public link that leads nowhere: the same words whether it was wrong, used up or never there. */
export function DeadLink() {
  useTitle("Link");
  return (
    <>
      <h1 className="plain-title">This link does not work any more</h1>
      <p className="plain-text">
        Ask the practice for a new one. If you copied the link, check that you have all of it.
      </p>
      <p className="plain-small">Nothing was sent or saved on this page.</p>
    </>
  );
}
