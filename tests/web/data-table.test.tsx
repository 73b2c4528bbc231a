import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { type Column, DataTable, type DataTableProps } from "../../web/src/ui/data-table.tsx";
import { Pager } from "../../web/src/ui/pager.tsx";
import { draw } from "./page.tsx";

interface Row {
  id: string;
  name: string;
}

const ROWS: Row[] = ["Ife Oyelaran", "Maya Ellery", "Owen Castell"].map((name, index) => ({ id: String(index), name }));
const COLUMNS: readonly Column<Row, "name">[] = [
  { key: "name", header: "Name", sort: "name", cell: (row) => <a href={`#${row.id}`}>{row.name}</a> },
];

const drawTable = (props: Partial<DataTableProps<Row, "name">>) =>
  draw(
    <DataTable
      label="People"
      columns={COLUMNS}
      rows={ROWS}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      empty={<p>Nobody yet</p>}
      phoneRow={({ name }) => name}
      {...props}
    />,
  );

test("a table: a row, when it is clicked beside its link, is opened", async () => {
  const onOpen = vi.fn();
  drawTable({ onOpen });
  const row = screen.getByRole("row", { name: "Maya Ellery" });
  await userEvent.click(within(row).getByRole("cell"));
  expect(onOpen).toHaveBeenCalledWith(ROWS[1]);
});

test("a table: the arrow keys, when a row's link has the focus, go to the link of the next and the one before", async () => {
  drawTable({});
  screen.getByRole("link", { name: "Ife Oyelaran" }).focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Owen Castell");
  await userEvent.keyboard("{ArrowUp}");
  expect(document.activeElement?.textContent).toBe("Maya Ellery");
});

test("a table: the head of the sorted column, when it is pressed, turns the order and says so", async () => {
  const onChange = vi.fn();
  drawTable({ sort: { by: "name", isDescending: false, onChange } });
  expect(screen.getByRole("columnheader").getAttribute("aria-sort")).toBe("ascending");
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(onChange).toHaveBeenCalledWith("name", true);
});

test("a table: all rows, when the box in the head is ticked, are selected", async () => {
  const onChange = vi.fn();
  drawTable({ selection: { keys: new Set(["1"]), onChange } });
  expect(screen.getByRole("checkbox", { name: "Select Maya Ellery" })).toHaveProperty("checked", true);
  await userEvent.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
  expect(onChange).toHaveBeenCalledWith(new Set(["0", "1", "2"]));
});

test("a table: no rows, a failure, and no answer yet, when they happen, each have their own picture", async () => {
  const { unmount } = drawTable({ rows: [] });
  expect(screen.getByText("Nobody yet")).toBeDefined();
  unmount();
  const onRetry = vi.fn();
  const failed = drawTable({ failure: { message: "The database did not answer.", reference: "7F3K", onRetry } });
  expect(screen.getByRole("alert").textContent).toContain("7F3K");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledOnce();
  failed.unmount();
  drawTable({ rows: undefined });
  expect(screen.getByRole("table").getAttribute("aria-busy")).toBe("true");
});

test.each([
  [{ page: 1, total: 1, isTotalExact: true }, "1–1 of 1 client"],
  [{ page: 2, total: 37, isTotalExact: true }, "21–37 of 37 clients"],
  [{ page: 3, total: 1000, isTotalExact: false }, "41–60 of 1,000+ clients"],
])("a pager: %o, when it is drawn, reads %s", (where, text) => {
  draw(<Pager {...where} pageSize={20} words={["client", "clients"]} onPage={() => undefined} />);
  expect(screen.getByRole("navigation").textContent).toContain(text);
});
