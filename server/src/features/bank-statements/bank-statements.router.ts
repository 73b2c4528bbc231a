import {
  bankLinePageSchema,
  bankLineSchema,
  bankStatementPageSchema,
  bankStatementSchema,
  confirmedSchema,
  confirmLineSchema,
  confirmSureSchema,
  listBankLinesSchema,
  listStatementsSchema,
  setAsideSchema,
  sureLinesSchema,
} from "@app/shared/bank-statements";
import { byIdSchema } from "@app/shared/ids";
import { z } from "zod";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import {
  getLine,
  getStatement,
  listLines,
  listStatements,
  removeStatement,
  setAside,
} from "./bank-statements.service.ts";
import { confirmLine, confirmSure, sureLines } from "./line-confirming.ts";

const changing = permitted("clients.read", "payments.read", "payments.manage");

export const bankStatementsRouter = router({
  list: changing.input(listStatementsSchema).output(bankStatementPageSchema).query(calling(listStatements)),
  get: changing.input(byIdSchema).output(bankStatementSchema).query(callingById(getStatement)),
  lines: changing.input(listBankLinesSchema).output(bankLinePageSchema).query(calling(listLines)),
  line: changing.input(byIdSchema).output(bankLineSchema).query(callingById(getLine)),
  sure: changing.input(byIdSchema).output(sureLinesSchema).query(callingById(sureLines)),
  confirm: changing.input(confirmLineSchema).output(bankLineSchema).mutation(calling(confirmLine)),
  confirmSure: changing.input(confirmSureSchema).output(confirmedSchema).mutation(calling(confirmSure)),
  setAside: changing.input(setAsideSchema).output(bankLineSchema).mutation(calling(setAside)),
  remove: changing.input(byIdSchema).output(z.void()).mutation(callingById(removeStatement)),
});
