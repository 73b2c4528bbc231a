import { courtPackPreviewSchema, courtPackSchema } from "@app/shared/court-packs";
import { calling, permitted, router } from "../../core/trpc.ts";
import { previewCourtPack } from "./court-packs.service.ts";

export const courtPacksRouter = router({
  preview: permitted("clients.read", "documents.manage")
    .input(courtPackSchema)
    .output(courtPackPreviewSchema)
    .query(calling(previewCourtPack)),
});
