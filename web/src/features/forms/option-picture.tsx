import type { Field } from "@app/shared/form-fields";
import { FORM_PICTURES_ADDRESS, OPTION_MAX_LENGTH } from "@app/shared/form-limits";
import { FORM_PICTURE_ENDINGS } from "@app/shared/form-pictures";
import { Button, FileButton, TextInput } from "@mantine/core";
import { useState } from "react";
import { useBuilderContext } from "./builder-context.ts";
import { changeOption } from "./option-edits.ts";
import { keepPicture } from "./keep-picture.ts";

interface Props {
  field: Extract<Field, { type: "picture_choice" }>;
  value: string;
  index: number;
}

const ACCEPTED = FORM_PICTURE_ENDINGS.map((ending) => `.${ending}`).join(",");

/** The picture of one answer, and what it shows in words. */
export function OptionPicture({ field, value, index }: Props) {
  const { edit, isReadOnly } = useBuilderContext();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState("");
  const option = field.options.find((one) => one.value === value);
  if (!option) return null;
  const { pictureId, alt = "" } = option;
  const name = `answer ${index + 1}`;
  const change = (next: Parameters<typeof changeOption>[3], key?: string) =>
    edit((form) => changeOption(form, field.id, value, next), key);
  const choose = async (file: File | null) => {
    if (!file) return;
    setIsSending(true);
    setFailure("");
    try {
      const { id } = await keepPicture(file);
      change({ pictureId: id });
    } catch (error) {
      // Why it was not kept stands in it, whoever refused it.
      setFailure(error instanceof Error ? error.message : "This picture was not kept. Try again.");
    } finally {
      setIsSending(false);
    }
  };
  return (
    <div className="option-picture">
      {pictureId && <img src={`${FORM_PICTURES_ADDRESS}/${pictureId}`} alt={alt} />}
      <div className="inspector-buttons">
        <FileButton accept={ACCEPTED} disabled={isReadOnly || isSending} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={isSending} disabled={isReadOnly}>
              {pictureId ? "Another picture" : "Add a picture"}
              <span className="option-picture-of"> for {name}</span>
            </Button>
          )}
        </FileButton>
        {pictureId && (
          <Button size="xs" variant="subtle" onClick={() => change({ pictureId: "", alt: "" })}>
            Take out
            <span className="option-picture-of"> the picture of {name}</span>
          </Button>
        )}
      </div>
      {failure && (
        <p role="alert" className="option-picture-failure">
          {failure}
        </p>
      )}
      {pictureId && (
        <TextInput
          size="xs"
          label="What the picture shows"
          description="Read out to people who do not see it."
          maxLength={OPTION_MAX_LENGTH}
          value={alt}
          onChange={({ currentTarget }) => change({ alt: currentTarget.value }, `${field.id}.${value}.alt`)}
        />
      )}
    </div>
  );
}
