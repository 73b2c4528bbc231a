import { owned } from "@app/server/core/owned";
import mongoose from "mongoose";
import { expect, test } from "vitest";

mongoose.set("strictQuery", "throw");
const schema = new mongoose.Schema({ name: String });
schema.plugin(owned);
const Model = mongoose.model("OwnedThing", schema);

test.each([
  ["find", () => Model.find({ name: "a" })],
  ["findOne", () => Model.findOne({ name: "a" })],
  ["findById", () => Model.findById("0123456789abcdef01234567")],
  ["countDocuments", () => Model.countDocuments({})],
  ["estimatedDocumentCount", () => Model.estimatedDocumentCount()],
  ["distinct", () => Model.distinct("name", {})],
  ["exists", () => Model.exists({ name: "a" })],
  ["updateOne", () => Model.updateOne({ name: "a" }, { name: "b" })],
  ["updateMany", () => Model.updateMany({}, { name: "b" })],
  ["replaceOne", () => Model.replaceOne({}, { name: "b" })],
  ["findOneAndUpdate", () => Model.findOneAndUpdate({ name: "a" }, { name: "b" })],
  ["findOneAndDelete", () => Model.findOneAndDelete({ name: "a" })],
  ["deleteOne", () => Model.deleteOne({ name: "a" })],
  ["deleteMany", () => Model.deleteMany({})],
  ["an empty owner", () => Model.find({ ownerId: "" })],
  ["an undefined owner", () => Model.find({ ownerId: undefined })],
])("owned: %s without an owner is refused before it reaches the database", async (_name, query) => {
  await expect(query().exec()).rejects.toThrow(/without ownerId/);
});

test("owned: aggregate and bulkWrite without an owner are refused", async () => {
  await expect(Model.aggregate([{ $group: { _id: "$name" } }]).exec()).rejects.toThrow(/without ownerId/);
  await expect(Model.bulkWrite([{ deleteOne: { filter: {} } }])).rejects.toThrow(/bulkWrite/);
});
