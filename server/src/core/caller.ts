// Whether somebody still waits for an answer, for work that is done for nobody else.
import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestHandler } from "express";

interface Caller {
  gone: AbortSignal | undefined;
  /** Of work that only reads: without its caller it is of no use to anybody. */
  readerGone?: AbortSignal;
}

const callers = new AsyncLocalStorage<Caller | undefined>();

/** Whatever this work asks for is asked for until `gone`. */
export const whileCalling = <Result>(gone: AbortSignal, work: () => Result): Result => callers.run({ gone }, work);

/** For work that changes nothing: from `readerGone` on it asks the database nothing more, and waits for no answer. */
export const whileReading = <Result>(readerGone: AbortSignal, work: () => Result): Result =>
  callers.run({ gone: callerGone(), readerGone }, work);

/** Made once: without a reason each end of a request would make one, with its stack. */
export const REQUEST_OVER = new DOMException("The request is over.", "AbortError");

/** Whatever is done for this request knows when it is over: answered, given up, or past its time. */
export const withCaller: RequestHandler = (_req, res, next) => {
  const gone = new AbortController();
  res.once("close", () => gone.abort(REQUEST_OVER));
  whileCalling(gone.signal, next);
};

/** Ends with the request for which this is done; none for what is done for no request. */
export const callerGone = (): AbortSignal | undefined => callers.getStore()?.gone;

export const readerGone = (): AbortSignal | undefined => callers.getStore()?.readerGone;

const outside = AsyncLocalStorage.snapshot();

/** For what goes on by itself, though a request may have begun it: in no transaction of it, and not ended by it. */
export const withoutCaller = <Result>(work: () => Result): Result => outside(work);
