import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import mongoose from "mongoose";
import { DAY_MS, HOUR_MS, now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { memoryOf } from "../../core/memory.ts";
import { type Customer, findCustomers } from "../subscriptions/subscriptions.service.ts";
import { findPracticeSettings, type PracticeSettings } from "../practices/practices.service.ts";
import { findIdentityUser, type IdentityUser } from "../users/users.service.ts";
import { type AuthSessionDoc, AuthSessionModel } from "./auth-sessions.model.ts";

const IDLE_MS = 12 * HOUR_MS;
const IDLE_REMEMBERED_MS = 14 * DAY_MS;
const ABSOLUTE_MS = 30 * DAY_MS;
const SECOND_FACTOR_MS = 10 * 60_000;

type SessionAttributes = Omit<AuthSessionDoc, "_id" | "user_id" | "expires_at">;

/** Everything a call needs to know of the person, read in one parallel step. */
interface UserAttributes {
  user: IdentityUser;
  practice: PracticeSettings | null;
  customers: Promise<Customer[]>;
}

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>;
    DatabaseSessionAttributes: SessionAttributes;
    DatabaseUserAttributes: UserAttributes;
  }
}

/** When a sign-in ends if nobody uses it: idle limit, and 30 days whatever happens. */
export function expiryOf(
  session: Pick<AuthSessionDoc, "is_remembered" | "is_second_factor_pending" | "signed_in_at">,
): Date {
  const idleMs = session.is_remembered ? IDLE_REMEMBERED_MS : IDLE_MS;
  const idle = now().getTime() + (session.is_second_factor_pending ? SECOND_FACTOR_MS : idleMs);
  return new Date(Math.min(idle, session.signed_in_at.getTime() + ABSOLUTE_MS));
}

function toDatabaseSession(id: string, { _id, user_id, expires_at, ...attributes }: AuthSessionDoc): DatabaseSession {
  return { id, userId: user_id, expiresAt: expires_at, attributes };
}

interface Known {
  session: AuthSessionDoc;
  person: { id: string; attributes: UserAttributes } | null;
}

// The sign-in, and whom it belongs to with what they may do.
const known = memoryOf<Known>(["auth_sessions", "users", "settings", "customers"], async (id) => {
  const session = await AuthSessionModel.findById(id).lean();
  if (!session) return null;
  const person = { userId: session.user_id, ownerId: session.owner_id };
  const customers = findCustomers(person);
  const [user, practice, [checked]] = await Promise.all([
    findIdentityUser(person.userId),
    findPracticeSettings(person.ownerId),
    // Settled, not awaited: the subscription check must also answer where this read failed.
    Promise.allSettled([customers]),
  ]);
  if (checked.status === "rejected") known.forget();
  const isOpen = user?.status === "active" && user.sign_in_epoch === session.sign_in_epoch;
  return { session, person: user && isOpen ? { id: person.userId, attributes: { user, practice, customers } } : null };
});

/** For who has to know what others have changed just now. */
export const forgetSignIns = known.forget;

/** Whether nothing but its time has ended a sign-in: a clock that is wrong for a moment may say so. */
export async function isOnlyOver(sessionId: string): Promise<boolean> {
  const found = await known.recall(hashToken(sessionId));
  return found !== null && found.person !== null;
}

// One that lasts longer than any, by more than a day, was made by a clock that was ahead.
for (const [is_remembered, idleMs] of [
  [false, IDLE_MS],
  [true, IDLE_REMEMBERED_MS],
] as const)
  defineDueTime({
    of: "ends of sign-ins",
    times: ["AuthSession.expires_at"],
    aheadMs: idleMs + DAY_MS,
    bringBack: (latest, at) =>
      AuthSessionModel.updateMany(
        { is_remembered, expires_at: mongoose.trusted({ $gt: latest }) },
        { $set: { expires_at: at } },
      ),
  });

// Lucia holds ids as they stand in the cookie; in the database stands only their hash.
const adapter: Adapter = {
  async getSessionAndUser(sessionId) {
    const found = await known.recall(hashToken(sessionId));
    if (!found || found.session.expires_at <= now()) return [null, null];
    return [toDatabaseSession(sessionId, found.session), found.person];
  },
  async getUserSessions(userId) {
    const sessions = await AuthSessionModel.find({ user_id: userId }).sort({ last_seen_at: -1 }).lean();
    return sessions.map((session) => toDatabaseSession(session._id, session));
  },
  async setSession({ id, userId, attributes }) {
    await AuthSessionModel.create([
      { ...attributes, _id: hashToken(id), user_id: userId, expires_at: expiryOf(attributes) },
    ]);
  },
  async updateSessionExpiration(sessionId, expiresAt) {
    await AuthSessionModel.updateOne({ _id: hashToken(sessionId) }, { $set: { expires_at: expiresAt } });
  },
  async deleteSession(sessionId) {
    await AuthSessionModel.deleteOne({ _id: hashToken(sessionId) });
  },
  async deleteUserSessions(userId) {
    await AuthSessionModel.deleteMany({ user_id: userId });
  },
  async deleteExpiredSessions() {
    await AuthSessionModel.deleteMany({ expires_at: mongoose.trusted({ $lte: now() }) });
  },
};

export const lucia = new Lucia<SessionAttributes, UserAttributes>(adapter, {
  // Lucia knows one lifetime for all and would prolong by it; zero leaves that to expiryOf.
  sessionExpiresIn: new TimeSpan(0, "s"),
  getSessionAttributes: (attributes) => attributes,
  getUserAttributes: (attributes) => attributes,
});
