import { historyPageSchema, listHistorySchema } from "@app/shared/history";
import { calling, permitted, router } from "../../core/trpc.ts";
import { listHistory } from "./timeline.service.ts";

export const timelineRouter = router({
  list: permitted("clients.read").input(listHistorySchema).output(historyPageSchema).query(calling(listHistory)),
});
