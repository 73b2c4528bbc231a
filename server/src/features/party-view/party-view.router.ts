import { partyPreviewSchema, previewSchema } from "@app/shared/party-preview";
import { calling, permitted, router } from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.service.ts";
import { previewOf } from "./party-preview.ts";

export const partyViewRouter = router({
  preview: permitted("clients.read")
    .input(previewSchema)
    .output(outputForParty(partyPreviewSchema))
    .query(calling(previewOf)),
});
