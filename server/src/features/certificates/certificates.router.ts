import {
  certificateListSchema,
  certificateSchema,
  issueCertificateSchema,
  listCertificatesSchema,
  useCertificateSchema,
  voidCertificateSchema,
} from "@app/shared/certificates";
import { permitted, router } from "../../core/trpc.ts";
import "./certificate-reminders.ts";
import * as certificates from "./certificates.service.ts";

export const certificatesRouter = router({
  list: permitted("clients.read")
    .input(listCertificatesSchema)
    .output(certificateListSchema)
    .query(({ ctx, input }) => certificates.listCertificates(ctx.scope, input.caseId)),
  issue: permitted("clients.read", "clients.write")
    .input(issueCertificateSchema)
    .output(certificateSchema)
    .mutation(({ ctx, input }) => certificates.issueCertificate(ctx.scope, input)),
  use: permitted("clients.read", "clients.write")
    .input(useCertificateSchema)
    .output(certificateSchema)
    .mutation(({ ctx, input }) => certificates.useCertificate(ctx.scope, input)),
  void: permitted("clients.read", "clients.write")
    .input(voidCertificateSchema)
    .output(certificateSchema)
    .mutation(({ ctx, input }) => certificates.voidCertificate(ctx.scope, input)),
});
