import { aidPreviewSchema, aidSwitchSchema, switchedSchema, switchToLegalAidSchema } from "@app/shared/fundings";
import { calling, permitted, router } from "../../core/trpc.ts";
import { previewAid, switchToLegalAid } from "./aid-switch.ts";

const reading = permitted("clients.read", "payments.read");
const changing = permitted("clients.read", "clients.write", "payments.read", "payments.manage");

export const fundingsRouter = router({
  previewAid: reading.input(aidSwitchSchema).output(aidPreviewSchema).query(calling(previewAid)),
  switchToLegalAid: changing.input(switchToLegalAidSchema).output(switchedSchema).mutation(calling(switchToLegalAid)),
});
