import type { Form } from "@app/shared/forms";
import { api } from "../../core/api.ts";

/** How many people are at the versions of a form that were published; says nothing until it is known. */
export function PeopleFillingIn({ form }: { form: Pick<Form, "id" | "publishedNumber"> }) {
  const isPublished = form.publishedNumber !== null;
  const asked = api.submissions.inProgress.useQuery({ id: form.id }, { enabled: isPublished, staleTime: 0 });
  if (!asked.data) return null;
  const { versions } = asked.data;
  if (versions.length === 0) return <p className="people-filling-in">Nobody is filling it in at the moment.</p>;
  return (
    <ul className="people-filling-in">
      {versions.map(({ number, count }) => (
        <li key={number}>
          {count === 1 ? "1 person is" : `${count} people are`} filling in version {number}.
        </li>
      ))}
    </ul>
  );
}
