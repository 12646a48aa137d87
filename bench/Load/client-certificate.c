// For LD_PRELOAD with load generators that know no client certificates: every TLS context shows the certificate and key of the PEM
// file CLIENT_CERTIFICATE. Build: cc -O2 -shared -fPIC -o client-certificate.so client-certificate.c -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *SSL_CTX_new(const void *method)
{
    void *(*make)(const void *) = dlsym(RTLD_NEXT, "SSL_CTX_new");
    int (*use_certificate)(void *, const char *) = dlsym(RTLD_NEXT, "SSL_CTX_use_certificate_chain_file");
    int (*use_key)(void *, const char *, int) = dlsym(RTLD_NEXT, "SSL_CTX_use_PrivateKey_file");
    const char *pem = getenv("CLIENT_CERTIFICATE");
    void *context = make(method);
    if (pem != NULL && (use_certificate(context, pem) != 1 || use_key(context, pem, 1) != 1)) {
        fprintf(stderr, "%s holds no certificate with its key\n", pem);
        exit(1);
    }
    return context;
}
