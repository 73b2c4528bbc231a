import {
  addFigureSchema,
  agreeFigureSchema,
  decideFigureSchema,
  exchangeFinancesSchema,
  figureHistorySchema,
  figureSchema,
  financesSchema,
  ofCaseSchema,
  pairFiguresSchema,
  setCompleteSchema,
  setDisclosingSchema,
  setFigureRemovedSchema,
  setNoneSchema,
  takeBackAgreedSchema,
  takeOverSchema,
  updateFigureSchema,
} from "@app/shared/finances";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { exchangeFinances } from "./exchange.ts";
import * as figures from "./figures.service.ts";
import { getFinances } from "./finances.service.ts";
import * as changes from "./statement-changes.ts";
import { setDisclosing } from "./disclosers.ts";
import { decideFigure, takeOver } from "./taken-figures.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "clients.write");

export const financesRouter = router({
  get: reading.input(ofCaseSchema).output(financesSchema).query(calling(getFinances)),
  figure: reading.input(byIdSchema).output(figureSchema).query(callingById(figures.getFigure)),
  history: reading.input(byIdSchema).output(figureHistorySchema).query(callingById(figures.figureHistory)),
  addFigure: writing
    .input(addFigureSchema.safeExtend(ofNewThing))
    .output(figureSchema)
    .mutation(creating(figures.addFigure, figures.getFigure)),
  updateFigure: writing.input(updateFigureSchema).output(figureSchema).mutation(calling(figures.updateFigure)),
  setFigureRemoved: writing
    .input(setFigureRemovedSchema)
    .output(figureSchema)
    .mutation(calling(figures.setFigureRemoved)),
  takeOver: writing.input(takeOverSchema).output(financesSchema).mutation(calling(takeOver)),
  decide: writing.input(decideFigureSchema).output(financesSchema).mutation(calling(decideFigure)),
  setNone: writing.input(setNoneSchema).output(financesSchema).mutation(calling(changes.setNone)),
  setDisclosing: writing.input(setDisclosingSchema).output(financesSchema).mutation(calling(setDisclosing)),
  setComplete: writing.input(setCompleteSchema).output(financesSchema).mutation(calling(changes.setComplete)),
  pair: writing.input(pairFiguresSchema).output(financesSchema).mutation(calling(changes.pairFigures)),
  agree: writing.input(agreeFigureSchema).output(financesSchema).mutation(calling(changes.agreeFigure)),
  takeBackAgreed: writing.input(takeBackAgreedSchema).output(financesSchema).mutation(calling(changes.takeBackAgreed)),
  exchange: writing.input(exchangeFinancesSchema).output(financesSchema).mutation(calling(exchangeFinances)),
});
