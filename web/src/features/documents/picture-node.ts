import { PICTURE_ALIGNMENTS, type PictureAlignment } from "@app/shared/document-content";
import { documentPictureAddress } from "@app/shared/document-pictures";
import { Node } from "@tiptap/core";

interface PictureOptions {
  /** Whose pictures they are. */
  textId: string;
}

export interface PictureAttributes {
  alt: string;
  isDecorative: boolean;
  widthPercent: number;
  align: PictureAlignment;
}

const alignmentOf = (value: unknown): PictureAlignment => PICTURE_ALIGNMENTS.find((one) => one === value) ?? "left";

export const pictureAttributes = (attrs: Record<string, unknown>): PictureAttributes => ({
  alt: typeof attrs["alt"] === "string" ? attrs["alt"] : "",
  isDecorative: attrs["isDecorative"] === true,
  widthPercent: Number(attrs["widthPercent"] ?? 100),
  align: alignmentOf(attrs["align"]),
});

export const Picture = Node.create<PictureOptions>({
  name: "image",
  group: "block",
  atom: true,
  draggable: true,
  addOptions: () => ({ textId: "" }),
  addAttributes: () => ({
    pictureId: { default: "" },
    alt: { default: "" },
    isDecorative: { default: false },
    widthPercent: { default: 100 },
    align: { default: "left" },
  }),
  parseHTML: () => [
    {
      tag: "figure[data-picture]",
      getAttrs: ({ dataset }) => ({
        pictureId: dataset["picture"],
        alt: dataset["alt"] ?? "",
        isDecorative: dataset["decorative"] !== undefined,
        widthPercent: Number(dataset["width"] ?? 100),
        align: alignmentOf(dataset["align"]),
      }),
    },
  ],
  renderHTML({ node }) {
    const pictureId = String(node.attrs["pictureId"]);
    const { alt, isDecorative, widthPercent, align } = pictureAttributes(node.attrs);
    const src = documentPictureAddress(this.options.textId, pictureId);
    return [
      "figure",
      {
        "data-picture": pictureId,
        "data-alt": alt,
        "data-width": String(widthPercent),
        "data-align": align,
        ...(isDecorative && { "data-decorative": "" }),
        ...(!isDecorative && alt.trim() === "" && { "data-unsaid": "Say what this shows" }),
        class: "document-picture",
      },
      // A width by attribute: the page's policy allows no styles of their own.
      ["img", { src, alt: isDecorative ? "" : alt, width: `${widthPercent}%`, draggable: "false" }],
    ];
  },
});
