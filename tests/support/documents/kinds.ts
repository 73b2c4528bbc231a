import { REGIONS } from "@app/shared/regions";
import { mediatorTypeSchema, regionSchema } from "@app/shared/users";

export const MEDIATOR_TYPES = mediatorTypeSchema.options;
export const REGION_NAMES = Object.keys(REGIONS).map((name) => regionSchema.parse(name));
