import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";

type AnchorElement = Omit<ComponentProps<"a">, "style" | "color">;

const ButtonAnchor = (props: ButtonProps & AnchorElement) => <Button component="a" {...props} />;
const TextAnchor = (props: AnchorProps & AnchorElement) => <Anchor {...props} />;

/** A link to a page of ours that looks like a button. */
export const LinkButton = createLink(ButtonAnchor);
/** A link to a page of ours in a text. */
export const TextLink = createLink(TextAnchor);
