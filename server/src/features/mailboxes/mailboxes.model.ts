import mongoose, { type InferSchemaType, Schema } from "mongoose";

const serverSchema = new Schema(
  {
    host: { type: String, required: true },
    port: { type: Number, required: true, min: 1, max: 65535 },
    // TLS from the first byte; otherwise the connection is upgraded before anything else is said.
    secure: { type: Boolean, required: true },
    user: { type: String, required: true },
    secret_enc: { type: String, required: true },
  },
  { _id: false },
);

// Keyed by user id; without one there is no IMAP sending.
const emailCredentialsSchema = new Schema(
  {
    _id: { type: String, required: true },
    email: { type: String, required: true },
    imap: { type: serverSchema, required: true },
    smtp: { type: serverSchema, required: true },
    // Gmail and Microsoft 365 put what is submitted into Sent by themselves.
    saves_sent: { type: Boolean, required: true, default: false },
    // A certificate authority of a mail server of one's own, in PEM.
    ca: String,
    // When it last worked, and when that was last tried.
    verified_at: Date,
    checked_at: Date,
    last_error: { type: String, default: "" },
  },
  { collection: "email_credentials", versionKey: false },
);
export const EmailCredentialsModel = mongoose.model("EmailCredentials", emailCredentialsSchema);
export type EmailCredentialsDoc = InferSchemaType<typeof emailCredentialsSchema>;

// Keyed by user id; without one the other provider cannot send.
const emailTokenSchema = new Schema(
  {
    _id: { type: String, required: true },
    account_id: { type: String, required: true },
    access_enc: { type: String, required: true },
    service_type: { type: String, required: true },
    email: { type: String, required: true },
    scopes: { type: [String], required: true },
    created_at: { type: Date, required: true },
    checked_at: Date,
    last_error: { type: String, default: "" },
  },
  { collection: "email_tokens", versionKey: false },
);
export const EmailTokenModel = mongoose.model("EmailToken", emailTokenSchema);

// A sign-in at a provider that is under way: whoever comes back has to be the same person in the same browser.
const mailSignInSchema = new Schema(
  {
    _id: { type: String, required: true },
    user_id: { type: String, required: true },
    session_id: { type: String, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: "mail_sign_ins", versionKey: false },
);
mailSignInSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
export const MailSignInModel = mongoose.model("MailSignIn", mailSignInSchema);
