// What an end says of children goes with the kind of its case. Free of zod.

/** In which cases nobody parents together: there is nothing to settle of children. */
const WITHOUT_CHILDREN: readonly string[] = ["workplace", "civil"];

export const againstChildren = (
  { issues }: { issues: readonly { kind: string }[] },
  { domain }: { domain: string },
): string | null =>
  WITHOUT_CHILDREN.includes(domain) && issues.some(({ kind }) => kind === "children")
    ? "A case of this kind has no issues about children. Choose what else it is about."
    : null;

export const againstParenting = (
  { documents }: { documents: readonly { kind: string }[] },
  { domain }: { domain: string },
): string | null =>
  WITHOUT_CHILDREN.includes(domain) && documents.some(({ kind }) => kind === "parenting_plan")
    ? "A case of this kind has no parenting plan. Take it out, or correct what kind of case it is."
    : null;
