# The commands alone. goreleaser builds it from its own binaries, which need nothing of a system:
#   docker run --rm -v "$PWD:/work" ghcr.io/thm-suite/thm check --effort quick
FROM scratch
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/thm $TARGETPLATFORM/benchgate /bin/
WORKDIR /work
ENTRYPOINT ["/bin/thm"]
