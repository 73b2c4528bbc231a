import { useNavigate } from "@tanstack/react-router";
import { Dialog } from "../../ui/dialog.tsx";
import { NewForm } from "./new-form.tsx";

/** A new questionnaire, blank or from one that is ready. */
export function NewFormDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <Dialog isOpen onClose={onClose} title="New form" size="form">
      <NewForm
        isLead={false}
        onMade={(id) => void navigate({ to: "/settings/forms/create/$id", params: { id }, ignoreBlocker: true })}
      />
    </Dialog>
  );
}
