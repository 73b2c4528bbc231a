import "./certificate-truth.ts";
import {
  certificateChoicesSchema,
  certificateListSchema,
  certificateOptionsSchema,
  certificateSchema,
  issueCertificateSchema,
  issueMediationSchema,
  listCertificatesSchema,
  mediationChoicesSchema,
  mediationOptionsSchema,
  useCertificateSchema,
  voidCertificateSchema,
} from "@app/shared/certificates";
import { ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, permitted, router } from "../../core/trpc.ts";
import { certificateChoices, issueCertificate } from "./certificate-issue.service.ts";
import "./certificate-reminders.ts";
import { issueMediation, mediationChoices } from "./mediation-certificate.service.ts";
import * as certificates from "./certificates.service.ts";

export const certificatesRouter = router({
  list: permitted("clients.read")
    .input(listCertificatesSchema)
    .output(certificateListSchema)
    .query(({ ctx, input }) => certificates.listCertificates(ctx.scope, input.caseId)),
  choices: permitted("clients.read")
    .input(certificateOptionsSchema)
    .output(certificateChoicesSchema)
    .query(({ ctx, input }) => certificateChoices(ctx.scope, input.assessmentId)),
  issue: permitted("clients.read", "clients.write")
    .input(issueCertificateSchema.safeExtend(ofNewThing))
    .output(certificateSchema)
    .mutation(creating(issueCertificate, certificates.getCertificate)),
  mediationChoices: permitted("clients.read")
    .input(mediationOptionsSchema)
    .output(mediationChoicesSchema)
    .query(({ ctx, input }) => mediationChoices(ctx.scope, input)),
  issueMediation: permitted("clients.read", "clients.write")
    .input(issueMediationSchema.safeExtend(ofNewThing))
    .output(certificateSchema)
    .mutation(creating(issueMediation, certificates.getCertificate)),
  use: permitted("clients.read", "clients.write")
    .input(useCertificateSchema)
    .output(certificateSchema)
    .mutation(calling(certificates.useCertificate)),
  void: permitted("clients.read", "clients.write")
    .input(voidCertificateSchema)
    .output(certificateSchema)
    .mutation(calling(certificates.voidCertificate)),
});
