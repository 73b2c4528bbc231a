import mongoose, { Schema } from "mongoose";

const serverSchema = new Schema(
  {
    host: { type: String, required: true },
    port: { type: Number, required: true, min: 1, max: 65535 },
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
    imap: { type: serverSchema, required: true },
    smtp: { type: serverSchema, required: true },
    verified_at: Date,
  },
  { collection: "email_credentials", versionKey: false },
);
export const EmailCredentialsModel = mongoose.model("EmailCredentials", emailCredentialsSchema);

// Keyed by user id; without one the other provider cannot send.
const emailTokenSchema = new Schema(
  {
    _id: { type: String, required: true },
    provider: { type: String, required: true },
    access_enc: { type: String, required: true },
    refresh_enc: String,
    expires_at: Date,
    scopes: { type: [String], required: true },
  },
  { collection: "email_tokens", versionKey: false },
);
export const EmailTokenModel = mongoose.model("EmailToken", emailTokenSchema);
