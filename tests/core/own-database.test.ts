import { expect, inject, test } from "vitest";
import { inDatabase, nameIn } from "../support/server/database-uri.ts";
import { anOwnDatabase } from "../support/server/own-database.ts";

test.each([
  ["mongodb://one:27017,two:27017/?replicaSet=rs0", "mongodb://one:27017,two:27017/own?replicaSet=rs0"],
  ["mongodb://localhost", "mongodb://localhost/own"],
  ["mongodb://%2Ftmp%2Fa.sock/practice?replicaSet=rs0", "mongodb://%2Ftmp%2Fa.sock/own?replicaSet=rs0"],
  ["mongodb://ines:secret@one/practice", "mongodb://ines:secret@one/own?authSource=practice"],
  [
    "mongodb+srv://ines:secret@cluster.example.org/?w=1",
    "mongodb+srv://ines:secret@cluster.example.org/own?w=1&authSource=admin",
  ],
  ["mongodb://ines:secret@one/practice?authSource=users", "mongodb://ines:secret@one/own?authSource=users"],
])("a database of a test: when %s is given, then it is another one of the same servers", (given, own) => {
  expect(inDatabase(given, "own")).toBe(own);
});

test("a database of a test: when two are asked for, then neither is the other, the run's or the one that was given", () => {
  const run = nameIn(inject("mongodbUri"));
  const names = [anOwnDatabase(), anOwnDatabase()].map(nameIn);
  expect(new Set([...names, run]).size).toBe(3);
  for (const name of [...names, run]) expect(name).toMatch(/^test_[0-9a-f]{8}/);
  for (const name of names) expect(name.startsWith(`${run}_`)).toBe(true);
});

test("MONGODB_URI: when a test starts a process, then it does not inherit the database that was given", () => {
  expect(process.env["MONGODB_URI"]).toBe("");
});
