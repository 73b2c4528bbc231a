import "./practice-mark.css";

interface Props {
  name: string;
}

/** The practice as its clients and staff know it. */
export function PracticeMark({ name }: Props) {
  return (
    <span className="practice-mark">
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden>
        <rect width="22" height="22" rx="4" className="practice-mark-ground" />
        <path d="M5 15.5v-9l6 4.5 6-4.5v9" fill="none" stroke="#fff" strokeWidth="2" strokeLinejoin="round" />
      </svg>
      <span className="practice-mark-name">{name}</span>
    </span>
  );
}
