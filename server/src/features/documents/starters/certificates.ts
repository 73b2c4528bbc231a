/** It names nobody but its person, and claims to be no form of a court. */
export const CERTIFICATE = `
{if certificate.attendedOn}
# Mediation information and assessment meeting
{end}
{if certificate.firstSession}
# Attendance at mediation
{end}
Certificate {{certificate.number}}, given by {{certificate.service}}
## Person
{{certificate.person}}
## Certified
{each certificate.statements}
{{each.statement}}
{end}
{if certificate.attendedOn}
## Meeting
Attended on: {{certificate.attendedOn}}
Conducted by: {{certificate.conductedBy}}
{end}
{if certificate.firstSession}
## Mediation
First session: {{certificate.firstSession}}
Last session: {{certificate.lastSession}}
{end}
## Signed by
Mediator: {{certificate.signedBy}}
{if certificate.urn}
FMC registration number (URN): {{certificate.urn}}
{end}
Mediation service: {{certificate.service}}
Issued on: {{certificate.issuedOn}}
Last day for an application: {{certificate.lastDay}}
{if certificate.late}
{{certificate.late}}
{end}
Signature of the mediator: ______________________________
`;
