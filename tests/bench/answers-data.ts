import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fillWithDemo } from "../../scripts/demo-sign-in.ts";

const SIZES = { large: "large", tenth: "medium" } as const;
export type Size = keyof typeof SIZES;

/**
 * Fills two data directories with the demonstration practice, one of each size, for as long as `work` takes.
 * BENCH_DATA keeps them in a directory of that name, so that the next run finds them.
 */
export async function withDemos<Result>(work: (dirs: Record<Size, string>) => Promise<Result>): Promise<Result> {
  const kept = process.env["BENCH_DATA"];
  const place = kept ?? mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  try {
    const dirs = { large: path.join(place, SIZES.large), tenth: path.join(place, SIZES.tenth) };
    await fillWithDemo(dirs.tenth, SIZES.tenth);
    await fillWithDemo(dirs.large, SIZES.large);
    return await work(dirs);
  } finally {
    if (!kept) rmSync(place, { recursive: true, force: true });
  }
}

/** The same of one size, in a directory of its own, because one process may write to it and another waits for that. */
export async function withDemo<Result>(size: Size, work: (dir: string) => Promise<Result>): Promise<Result> {
  const kept = process.env["BENCH_DATA"];
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-bench-"));
  try {
    if (kept) cpSync(path.join(kept, SIZES[size]), dir, { recursive: true });
    else await fillWithDemo(dir, SIZES[size]);
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
