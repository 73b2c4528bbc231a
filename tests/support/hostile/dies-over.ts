// Loaded into a process before the product: rows that hold DIES_OVER end it at once, as something would that no process
// survives.
const deadly = process.env["DIES_OVER"] ?? "";
const parse = JSON.parse.bind(JSON);

JSON.parse = (text: string, ...more: [reviver?: Parameters<typeof JSON.parse>[1]]): unknown => {
  // The rows of an import are a list of lists; what comes by them otherwise is left alone.
  if (deadly && String(text).startsWith("[[") && text.includes(deadly)) process.kill(process.pid, "SIGKILL");
  return parse(text, ...more);
};
