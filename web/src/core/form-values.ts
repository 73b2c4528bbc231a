const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The value at a path such as `address.lines.0`; undefined where there is none. */
export function valueAt(values: object, path: string): unknown {
  let place: unknown = values;
  for (const key of path.split(".")) place = isObject(place) ? Reflect.get(place, key) : undefined;
  return place;
}

/** A copy with another value at a path. */
export function withValueAt<Values extends object>(values: Values, path: string, value: unknown): Values {
  const copy = structuredClone(values);
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  const place = keys.length > 0 ? valueAt(copy, keys.join(".")) : copy;
  if (isObject(place)) Reflect.set(place, last, value);
  return copy;
}

/** What an input gave: its event, or the value itself. */
export function valueOf(payload: unknown): unknown {
  if (!isObject(payload) || !("currentTarget" in payload)) return payload;
  const input = payload.currentTarget;
  if (input instanceof HTMLInputElement && input.type === "checkbox") return input.checked;
  const isField =
    input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement || input instanceof HTMLSelectElement;
  return isField ? input.value : payload;
}
