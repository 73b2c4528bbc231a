/** What a Word document had that could not be taken over. */
export const LeftOut = ({ left }: { left: readonly string[] }) => (
  <>
    <p>Look through the text: this could not be taken over.</p>
    <ul className="left-out">
      {left.map((what) => (
        <li key={what}>{what}</li>
      ))}
    </ul>
  </>
);
