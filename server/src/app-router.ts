import { router } from "./core/trpc.ts";
import { authRouter } from "./features/auth/auth.router.ts";
import { clientsRouter } from "./features/clients/clients.router.ts";
import { mailRouter } from "./features/mail/mail.router.ts";
import { practicesRouter } from "./features/practices/practices.router.ts";
import { subscriptionsRouter } from "./features/subscriptions/subscriptions.router.ts";
import { supportRouter } from "./features/support/support.router.ts";
import { usersRouter } from "./features/users/users.router.ts";

export const appRouter = router({
  auth: authRouter,
  clients: clientsRouter,
  mail: mailRouter,
  practices: practicesRouter,
  subscriptions: subscriptionsRouter,
  support: supportRouter,
  users: usersRouter,
});

export type AppRouter = typeof appRouter;
