import { atAGlance } from "./look-alikes.ts";
import { PRODUCT_NAME } from "./product.ts";

/** Whether people would take this for the name of the product, however it is spelled: no practice is called so. */
export const isProductName = (text: string): boolean => atAGlance(text) === atAGlance(PRODUCT_NAME);
