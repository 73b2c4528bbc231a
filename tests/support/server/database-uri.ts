const PARTS = /^(mongodb(?:\+srv)?:\/\/(?:([^/?@]*)@)?[^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;

function partsOf(uri: string) {
  const [, place = "", person = "", name = "", options = ""] = PARTS.exec(uri) ?? [];
  if (!place) throw new Error("this is no address of a MongoDB");
  return { place, person, name, options: options.split("&").filter(Boolean) };
}

export const nameIn = (uri: string): string => partsOf(uri).name;

/** Another database of the same servers. People are known by the database that was named, where nothing else is said. */
export function inDatabase(uri: string, name: string): string {
  const { place, person, name: before, options } = partsOf(uri);
  const saysWhere = options.some((option) => /^auth(Source|Mechanism)=/i.test(option));
  const where = person && !saysWhere ? [`authSource=${before || "admin"}`] : [];
  const all = [...options, ...where].join("&");
  return `${place}/${name}${all && `?${all}`}`;
}
