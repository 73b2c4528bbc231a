import { PRODUCT_NAME } from "@app/shared/product";
import type { ReactNode } from "react";
import { PracticeMark } from "../../ui/practice-mark.tsx";

interface Props {
  title: string;
  /** Whose page this is: the product's until a practice is known. */
  name?: string;
  children?: ReactNode;
}

export function LoginHead({ title, name = PRODUCT_NAME, children }: Props) {
  return (
    <>
      <PracticeMark name={name} />
      <h1 className="login-title">{title}</h1>
      {children && <p className="login-text">{children}</p>}
    </>
  );
}
